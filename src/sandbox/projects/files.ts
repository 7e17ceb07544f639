// Uploaded files of a project, for descriptions and comments; its avatar is one of them.
import { randomBytes } from 'node:crypto'
import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { invalid, refuse } from '../http/error-response.ts'
import type { World } from '../storage/world.ts'

/** GitLab's limits. */
const mostAvatar = 200 * 1024
const mostUpload = 10 * 1024 * 1024

/** Of a project (its id) or a group (`group-1`): no external name becomes a path. */
export type FilesOwner = number | `group-${number}`

export function filesFolder(world: Pick<World, 'uploadsFolder'>, owner: FilesOwner): string {
  return join(world.uploadsFolder, String(owner))
}

/** Characters; each has four bytes at most. */
const longestName = 60

/** A name that is safe in a path, a URL and Markdown; a long one loses its beginning. */
export function cleanFileName(name: string): string {
  const last = name.normalize('NFC').split(/[/\\]/).at(-1) ?? ''
  const clean = [...last.replace(/[^\p{L}\p{M}\p{N}_.+-]/gu, '_')].slice(-longestName).join('')
  return clean.replace(/^[.-]+/, '_') || 'file'
}

/** Raster images, which cannot run scripts. */
const pictures = new Map([
  ['png', 'image/png'],
  ['jpg', 'image/jpeg'],
  ['jpeg', 'image/jpeg'],
  ['gif', 'image/gif'],
  ['bmp', 'image/bmp'],
  ['ico', 'image/vnd.microsoft.icon'],
  ['webp', 'image/webp'],
])

/** The type of a picture, by the end of its name. */
export function pictureType(name: string): string | undefined {
  return pictures.get(/\.([A-Za-z0-9]+)$/.exec(name)?.[1]?.toLowerCase() ?? '')
}

/** Throws 400 for other files and large ones. */
export function checkAvatar(file: File): void {
  if (file.size > mostAvatar) throw invalid('avatar', 'is too big (should be at most 200 KB)')
  if (pictureType(cleanFileName(file.name)) === undefined)
    throw invalid(
      'avatar',
      'file format is not supported. Please try one of the following supported formats: png, jpg, jpeg, gif, bmp, ico, webp',
    )
}

/** Stores an upload under a URL that cannot be guessed. */
export async function storeUpload(world: World, owner: FilesOwner, file: File) {
  if (file.size > mostUpload) throw refuse(413, '413 Request Entity Too Large')
  const name = cleanFileName(file.name)
  const secret = randomBytes(16).toString('hex')
  await mkdir(join(filesFolder(world, owner), secret), { recursive: true })
  await writeFile(join(filesFolder(world, owner), secret, name), Buffer.from(await file.arrayBuffer()))
  const url = `/uploads/${secret}/${name}`
  const picture = pictureType(name) !== undefined
  const alt = picture ? name.slice(0, name.lastIndexOf('.')) : name
  return { alt, url, full_path: `/-/project/${owner}${url}`, markdown: `${picture ? '!' : ''}[${alt}](${url})` }
}

/** What becomes of an avatar: the URL of a new one, null for the empty text, undefined if none is given. */
export async function storeAvatar(world: World, owner: FilesOwner, file: File | '' | undefined) {
  return file ? (await storeUpload(world, owner, file)).url : file === '' ? null : undefined
}
