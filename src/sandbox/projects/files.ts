// Files that people gave to a project lie in a folder of its own (api-v4.md §4.3 uploads, avatar).
import { join } from 'node:path'
import type { World } from '../world.ts'

/** Named by id, so that no name from outside becomes a path. */
export function filesFolder(world: Pick<World, 'uploadsFolder'>, projectId: number): string {
  return join(world.uploadsFolder, String(projectId))
}

/** The longest name of a file, in bytes: less than any file system takes. */
const longestName = 200

/** A name that is safe in a path, an address and Markdown: letters, digits, `_`, `.`, `+` and `-`; neither empty nor hidden. */
export function cleanFileName(name: string): string {
  const last = name.normalize('NFC').split(/[/\\]/).at(-1) ?? ''
  const clean = last.replace(/[^\p{L}\p{M}\p{N}_.+-]/gu, '_').replace(/^[.-]+/, '_')
  return clean === '' ? 'file' : shorten(clean)
}

/** Keeps the ending, and cuts no character in two. */
function shorten(name: string): string {
  if (Buffer.byteLength(name) <= longestName) return name
  const ending = /\.[A-Za-z0-9]{1,16}$/.exec(name)?.[0] ?? ''
  let start = ''
  for (const character of name.slice(0, name.length - ending.length)) {
    if (Buffer.byteLength(start + character + ending) > longestName) break
    start += character
  }
  return start + ending
}

/** What browsers may show in place: pictures made of pixels, which cannot run anything. */
const pictures: Readonly<Record<string, string>> = {
  png: 'image/png',
  jpg: 'image/jpeg',
  jpeg: 'image/jpeg',
  gif: 'image/gif',
  bmp: 'image/bmp',
  ico: 'image/vnd.microsoft.icon',
  webp: 'image/webp',
}

/** The media type of a picture, by the ending of its name. */
export function pictureType(name: string): string | undefined {
  const ending = /\.([A-Za-z0-9]+)$/.exec(name)?.[1]?.toLowerCase()
  return ending !== undefined && Object.hasOwn(pictures, ending) ? pictures[ending] : undefined
}
