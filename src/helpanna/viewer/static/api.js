// Where the page's data comes from: the server, or, in an exported page, the page itself.

const holder = document.getElementById("stored");
export const stored = holder ? JSON.parse(holder.textContent) : null;

async function answer(response) {
  const content = await response.json().catch(() => ({ error: `The server answered ${response.status}.` }));
  if (!response.ok) throw new Error(content.error ?? "That cannot be read.");
  return content;
}

const seen = new Map();

/** The JSON at this address; it is asked for once. */
export function get(path) {
  if (!seen.has(path)) {
    const asked = fresh(path);
    seen.set(path, asked);
    asked.catch(() => seen.delete(path));
  }
  return seen.get(path);
}

/** The JSON at this address as it is now. */
export async function fresh(path) {
  if (stored) {
    if (path in stored.data) return stored.data[path];
    throw new Error("This is not part of the exported page.");
  }
  return answer(await fetch(path));
}

export async function post(path, content) {
  return answer(await fetch(path, {
    method: "POST",
    headers: { "Content-Type": "application/json" },
    body: JSON.stringify(content),
  }));
}

/** The address of a picture; null in an exported page without it. */
export function picture(path) {
  return stored ? stored.pictures[path] ?? null : path;
}
