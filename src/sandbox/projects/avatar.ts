// A project's avatar: an image file next to its uploads (api-v4.md §4.3).
import { mkdir, rename, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { invalid } from '../http/error-response.ts'
import type { World } from '../storage/world.ts'
import { cleanFileName, filesFolder, pictureOf } from './files.ts'

export interface Avatar {
  name: string
  bytes: Buffer
}

const mostBytes = 200 * 1024
/** Throws 400 for other files and large ones. */
export async function readAvatar(file: File): Promise<Avatar> {
  const name = cleanFileName(file.name)
  if (file.size > mostBytes) throw invalid('avatar', 'is too big (should be at most 200 KB)')
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
