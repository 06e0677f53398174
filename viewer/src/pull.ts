// Pulls a body of a live run: from where it was taken hold of to the mouse, in the plane that faces the camera.
import * as THREE from 'three';
import type { LiveConnection } from './live';
import type { Hit } from './look';
import type { Show } from './show';

const COLOR = 0xe07a00;
const CLICK = 4; // px; who moves less has clicked

export class Pull {
  readonly group = new THREE.Group();
  private readonly line = new THREE.Line(
    new THREE.BufferGeometry().setAttribute('position', new THREE.BufferAttribute(new Float32Array(6), 3)),
    new THREE.LineBasicMaterial({ color: COLOR, depthTest: false }),
  );
  private readonly knob: THREE.Mesh;
  private readonly plane = new THREE.Plane();
  private readonly target = new THREE.Vector3();
  private grip: Hit['grip'] = null;
  private pressed: [number, number] | null = null;
  private pulling = false;

  constructor(
    canvas: HTMLCanvasElement,
    private readonly show: Show,
    private readonly connection: LiveConnection,
    private readonly redraw: () => void,
  ) {
    const radius = 0.012 * show.stage.focus.radius;
    this.knob = new THREE.Mesh(new THREE.SphereGeometry(radius, 12, 8), new THREE.MeshBasicMaterial({ color: COLOR, depthTest: false }));
    this.line.frustumCulled = false;
    this.line.renderOrder = this.knob.renderOrder = 11;
    this.group.add(this.line, this.knob);
    this.group.visible = false;
    show.stage.scene.add(this.group);
    // Before the camera's own listener: what takes hold of a body does not turn the view.
    canvas.addEventListener('pointerdown', (event) => this.take(event, canvas), { capture: true });
    canvas.addEventListener('pointermove', (event) => this.move(event, canvas));
    for (const end of ['pointerup', 'pointercancel'] as const) canvas.addEventListener(end, () => this.release());
  }

  private ray(event: PointerEvent, canvas: HTMLCanvasElement): THREE.Raycaster {
    const box = canvas.getBoundingClientRect();
    return this.show.ray((event.clientX - box.left) / box.width, (event.clientY - box.top) / box.height);
  }

  private take(event: PointerEvent, canvas: HTMLCanvasElement): void {
    if (event.button !== 0 || event.shiftKey || event.ctrlKey) return;
    const hit = this.show.pick(this.ray(event, canvas));
    if (!hit?.grip) return;
    this.show.stage.controls.enabled = false;
    canvas.setPointerCapture(event.pointerId);
    this.pressed = [event.clientX, event.clientY];
    this.grip = hit.grip;
    const facing = this.show.stage.camera.getWorldDirection(new THREE.Vector3());
    this.plane.setFromNormalAndCoplanarPoint(facing, hit.point);
  }

  private move(event: PointerEvent, canvas: HTMLCanvasElement): void {
    if (!this.pressed || !this.grip) return;
    this.pulling ||= Math.hypot(event.clientX - this.pressed[0], event.clientY - this.pressed[1]) > CLICK;
    if (!this.pulling || !this.ray(event, canvas).ray.intersectPlane(this.plane, this.target)) return;
    this.connection.send({ type: 'pull', link: this.grip.link, point: this.grip.point.toArray(), target: this.target.toArray() });
    this.redraw();
  }

  private release(): void {
    if (!this.pressed) return;
    if (this.pulling) this.connection.send({ type: 'release' });
    this.pressed = null;
    this.pulling = false;
    this.show.stage.controls.enabled = true;
    this.redraw();
  }

  /** The spring, where it is by now. */
  update(): void {
    this.group.visible = this.pulling;
    if (!this.pulling || !this.grip) return;
    const from = this.grip.now();
    const ends = this.line.geometry.getAttribute('position') as THREE.BufferAttribute;
    ends.setXYZ(0, from.x, from.y, from.z);
    ends.setXYZ(1, this.target.x, this.target.y, this.target.z);
    ends.needsUpdate = true;
    this.knob.position.copy(this.target);
  }
}
