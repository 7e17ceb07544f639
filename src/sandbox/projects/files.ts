// Files of a project.
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

/** Shortens a name, at a whole character and without its extension. */
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

const jpeg = { type: 'image/jpeg', beginning: 'ffd8ff' }
/** Raster images, which cannot run scripts, with their magic bytes in hexadecimal. */
const pictures = new Map([
  ['png', { type: 'image/png', beginning: '89504e470d0a1a0a' }],
  ['jpg', jpeg],
  ['jpeg', jpeg],
  ['gif', { type: 'image/gif', beginning: '474946383' }],
  ['bmp', { type: 'image/bmp', beginning: '424d' }],
  ['ico', { type: 'image/vnd.microsoft.icon', beginning: '00000100' }],
  ['webp', { type: 'image/webp', beginning: '52494646' }],
])

export function pictureOf(name: string): { type: string; beginning: string } | undefined {
  return pictures.get(/\.([A-Za-z0-9]+)$/.exec(name)?.[1]?.toLowerCase() ?? '')
}
