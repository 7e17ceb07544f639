// Uploads for descriptions and comments, and avatars.

import { randomBytes } from 'node:crypto'
import { mkdir, rename, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type * as z from 'zod'
import type { upload } from '../../api/schemas/project.ts'
import { invalid, refuse } from '../http/error-response.ts'
import type { World } from '../storage/world.ts'
import { cleanFileName, filesFolder, pictureOf } from './files.ts'

export interface Avatar {
  name: string
  bytes: Buffer
}

/** GitLab's limits. */
const mostAvatar = 200 * 1024
const mostUpload = 10 * 1024 * 1024

/** Throws 400 for other files and large ones. */
export async function readAvatar(file: File): Promise<Avatar> {
  const name = cleanFileName(file.name)
  if (file.size > mostAvatar) throw invalid('avatar', 'is too big (should be at most 200 KB)')
  const bytes = Buffer.from(await file.arrayBuffer())
  const beginning = pictureOf(name)?.beginning
  if (beginning === undefined || !bytes.subarray(0, 16).toString('hex').startsWith(beginning)) {
    throw invalid(
      'avatar',
      'file format is not supported. Please try one of the following supported formats: png, jpg, jpeg, gif, bmp, ico, webp',
    )
  }
  return { name, bytes }
}

export function avatarFile(world: Pick<World, 'uploadsFolder'>, projectId: number): string {
  return join(filesFolder(world, projectId), 'avatar')
}

/** Atomic: readers get the old or the new one. */
export async function writeAvatar(world: World, projectId: number, { bytes }: Avatar): Promise<void> {
  const file = avatarFile(world, projectId)
  await mkdir(filesFolder(world, projectId), { recursive: true })
  await writeFile(`${file}.new`, bytes)
  await rename(`${file}.new`, file)
}

/** Stores an upload under a URL that cannot be guessed. */
export async function storeUpload(world: World, projectId: number, file: File): Promise<z.output<typeof upload>> {
  if (file.size > mostUpload) throw refuse(413, '413 Request Entity Too Large')
  const name = cleanFileName(file.name)
  const secret = randomBytes(16).toString('hex')
  await mkdir(join(filesFolder(world, projectId), secret), { recursive: true })
  await writeFile(uploadedFile(world, projectId, { secret, name }), Buffer.from(await file.arrayBuffer()))
  const url = `/uploads/${secret}/${name}`
  const picture = pictureOf(name) !== undefined
  const alt = picture ? name.slice(0, name.lastIndexOf('.')) : name
  return { alt, url, markdown: `${picture ? '!' : ''}[${alt}](${url})` }
}

export function uploadedFile(
  world: Pick<World, 'uploadsFolder'>,
  projectId: number,
  { secret, name }: { secret: string; name: string },
): string {
  return join(filesFolder(world, projectId), secret, name)
}
