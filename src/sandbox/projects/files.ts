// Files of a project (api-v4.md §4.3 uploads, avatar).
import { join } from 'node:path'
import type { World } from '../storage/world.ts'

/** Named by id, so that no external name becomes a path. */
export function filesFolder(world: Pick<World, 'uploadsFolder'>, projectId: number): string {
  return join(world.uploadsFolder, String(projectId))
}

const longestName = 200

/** A name that is safe in a path, a URL and Markdown. */
export function cleanFileName(name: string): string {
  const last = name.normalize('NFC').split(/[/\\]/).at(-1) ?? ''
  const clean = last.replace(/[^\p{L}\p{M}\p{N}_.+-]/gu, '_').replace(/^[.-]+/, '_')
  return clean === '' ? 'file' : shorten(clean)
}

/** Keeps the extension and whole characters. */
function shorten(name: string) {
  if (Buffer.byteLength(name) <= longestName) return name
  const ending = /\.[A-Za-z0-9]{1,16}$/.exec(name)?.[0] ?? ''
  let start = ''
  for (const character of name.slice(0, name.length - ending.length)) {
    if (Buffer.byteLength(start + character + ending) > longestName) break
    start += character
  }
  return start + ending
}

/** Raster images, which cannot run scripts. */
const pictures: Readonly<Record<string, string>> = {
  png: 'image/png',
  jpg: 'image/jpeg',
  jpeg: 'image/jpeg',
  gif: 'image/gif',
  bmp: 'image/bmp',
  ico: 'image/vnd.microsoft.icon',
  webp: 'image/webp',
}

export function pictureType(name: string): string | undefined {
  const ending = /\.([A-Za-z0-9]+)$/.exec(name)?.[1]?.toLowerCase()
  return ending !== undefined && Object.hasOwn(pictures, ending) ? pictures[ending] : undefined
}
