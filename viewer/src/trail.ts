// The way of the selected body: all of it pale, what is behind it strong.
import * as THREE from 'three';

export class Trail {
  readonly group = new THREE.Group();
  private readonly all = new THREE.Line(new THREE.BufferGeometry(), new THREE.LineBasicMaterial({ color: 0xe07a00, transparent: true, opacity: 0.35 }));
  private readonly past = new THREE.Line(new THREE.BufferGeometry(), new THREE.LineBasicMaterial({ color: 0xe07a00 }));

  constructor() {
    for (const line of [this.all, this.past]) line.frustumCulled = false;
    this.group.add(this.all, this.past);
    this.group.visible = false;
  }

  set(path: Float32Array | null): void {
    for (const line of [this.all, this.past]) {
      line.geometry.dispose();
      line.geometry = new THREE.BufferGeometry();
      line.geometry.setAttribute('position', new THREE.BufferAttribute(path ?? new Float32Array(0), 3));
    }
  }
  show(frame: number): void {
    this.past.geometry.setDrawRange(0, frame + 1);
  }
}
