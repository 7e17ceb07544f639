// Uploads for descriptions and comments (api-v4.md §4.3, §2.7).
import { randomBytes } from 'node:crypto'
import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { refuse } from '../http/error-response.ts'
import type { World } from '../storage/world.ts'
import { cleanFileName, filesFolder, pictureOf } from './files.ts'

/** GitLab's limit. */
const mostBytes = 10 * 1024 * 1024

interface Upload {
  alt: string
  url: string
  markdown: string
}

/** The URL cannot be guessed. */
export async function keepUpload(world: World, projectId: number, file: File): Promise<Upload> {
  if (file.size > mostBytes) throw refuse(413, '413 Request Entity Too Large')
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
