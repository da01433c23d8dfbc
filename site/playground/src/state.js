// What the page shows, in the fragment of its address, which browsers send to nobody: JSON, deflated, in base64url.

// A text that unpacks to more than this was not written by this page.
const MOST = 2_000_000;

export async function pack(state) {
  const packed = await through(new Blob([JSON.stringify(state)]), new CompressionStream("deflate-raw"));
  let text = "";
  for (const byte of packed) text += String.fromCharCode(byte);
  return btoa(text).replaceAll("+", "-").replaceAll("/", "_").replaceAll("=", "");
}

// The state of a fragment; null for one that is of something else or damaged.
export async function unpack(fragment) {
  const found = /^#?s=([A-Za-z0-9_-]+)$/.exec(fragment);
  if (!found) return null;
  try {
    const text = atob(found[1].replaceAll("-", "+").replaceAll("_", "/"));
    const bytes = Uint8Array.from(text, (character) => character.charCodeAt(0));
    const state = JSON.parse(new TextDecoder().decode(await through(new Blob([bytes]), new DecompressionStream("deflate-raw"))));
    const texts = ["trainjob", "runtimes", "release", "tab"].map((name) => state[name]);
    return texts.every((text) => typeof text === "string") ? state : null;
  } catch {
    return null;
  }
}

async function through(blob, stream) {
  const reader = blob.stream().pipeThrough(stream).getReader();
  const parts = [];
  let size = 0;
  for (;;) {
    const { done, value } = await reader.read();
    if (done) break;
    size += value.length;
    if (size > MOST) {
      await reader.cancel();
      throw new Error("too much");
    }
    parts.push(value);
  }
  return new Uint8Array(await new Blob(parts).arrayBuffer());
}
