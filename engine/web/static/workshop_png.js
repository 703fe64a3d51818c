// A picture as PNG, drawn by the browser from SVG.
import { h } from "./dom.js";

const SCALE = 3; // pixels for a unit of the drawing

/**
 * @param {string} svg
 * @returns {Promise<Blob>}
 */
export async function asPng(svg) {
  const address = URL.createObjectURL(new Blob([svg], { type: "image/svg+xml" }));
  const image = new Image();
  image.src = address;
  await image.decode();
  const canvas = h("canvas", { width: image.naturalWidth * SCALE, height: image.naturalHeight * SCALE });
  const context = canvas.getContext("2d");
  if (!context) throw new Error("This browser cannot draw pictures.");
  context.drawImage(image, 0, 0, canvas.width, canvas.height);
  URL.revokeObjectURL(address);
  return new Promise((resolve, reject) => {
    canvas.toBlob((blob) => (blob ? resolve(blob) : reject(new Error("This browser cannot write PNG."))), "image/png");
  });
}
