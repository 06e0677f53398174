// The ground: lit, with shadows, and with lines that fade into the distance, or with the texture of the model's file.
import * as THREE from 'three';

/** A lit ground that takes shadows, with lines that fade into the distance. */
export function groundMaterial(cell: number, reach: number): THREE.MeshLambertMaterial {
  const material = new THREE.MeshLambertMaterial({ side: THREE.DoubleSide });
  const line = { value: new THREE.Color() };
  const far = { value: new THREE.Color() };
  const lines = { value: 1 }; // 0: none
  material.userData = { line, far, lines };
  material.customProgramCacheKey = () => 'ground';
  material.onBeforeCompile = (shader) => {
    Object.assign(shader.uniforms, { gridLine: line, gridFar: far, gridCell: { value: cell }, gridReach: { value: reach }, gridShare: lines });
    shader.vertexShader = shader.vertexShader
      .replace('#include <common>', '#include <common>\nvarying vec2 vGrid;')
      .replace('#include <begin_vertex>', '#include <begin_vertex>\nvGrid = position.xy;');
    shader.fragmentShader = shader.fragmentShader
      .replace(
        '#include <common>',
        `#include <common>
        varying vec2 vGrid;
        uniform vec3 gridLine, gridFar;
        uniform float gridCell, gridReach, gridShare;
        float gridLines(float cell, float width) {
          vec2 p = vGrid / cell;
          vec2 w = fwidth(p);
          vec2 d = abs(fract(p - 0.5) - 0.5) / max(w, 1e-6);
          float fade = 1.0 - smoothstep(0.15, 0.5, max(w.x, w.y));
          return (1.0 - min(min(d.x, d.y) / width, 1.0)) * fade;
        }`,
      )
      .replace(
        '#include <color_fragment>',
        `#include <color_fragment>
        diffuseColor.rgb = mix(diffuseColor.rgb, gridLine, gridShare * 0.55 * gridLines(gridCell, 1.0));
        diffuseColor.rgb = mix(diffuseColor.rgb, gridLine, gridShare * 0.9 * gridLines(10.0 * gridCell, 1.4));`,
      )
      .replace(
        '#include <opaque_fragment>',
        `#include <opaque_fragment>
        gl_FragColor.rgb = mix(gl_FragColor.rgb, gridFar, smoothstep(0.35, 1.0, length(vGrid) / gridReach));`,
      );
  };
  return material;
}
