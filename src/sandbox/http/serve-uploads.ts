// Serves the uploaded files of projects.
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { RequestHandler, Response } from 'express'
import { canSeeGroup, canSeeProject } from '../access/access.ts'
import { signIn } from '../access/sign-in.ts'
import { cleanFileName, filesFolder, pictureType } from '../projects/files.ts'
import type { User } from '../records/records.ts'
import type { World } from '../storage/world.ts'
import { notFound, orNotFound, unauthorized } from './error-response.ts'
import { decoded } from './params.ts'

const uploadAddress = /^\/(.+)\/uploads\/([0-9a-f]{32})\/([^/]+)$/

/** Serves callers who see the project. Browsers show only images in place. */
export function serveUploads(worldFor: (response: Response) => World): RequestHandler {
  return async function uploads(request, response, next) {
    const address = decoded(request.path) ?? ''
    if (!/^(?:GET|HEAD)$/.test(request.method) || !uploadAddress.test(address)) {
      next()
      return
    }
    const world = worldFor(response)
    const caller = signIn(world, request.headers, ['api', 'read_api'])
    if (caller === 'refused' || caller === 'insufficient') throw unauthorized()
    const { name, path } = orNotFound(findFile(world, caller, address))
    send(response, name, await read(path))
  }
}

/** Undefined for what the caller may not see. */
function findFile(world: World, caller: User | null, address: string) {
  const [, path = '', secret = '', name = ''] = uploadAddress.exec(address) ?? []
  const [, kind, id] = /^-\/(project|group)\/(\d+)$/.exec(path) ?? []
  const group = kind === 'group' ? world.groups.get(Number(id)) : undefined
  const named = kind === undefined ? world.projects.first('path', path.toLowerCase()) : undefined
  const project = kind === 'project' ? world.projects.get(Number(id)) : named
  const ofGroup = group && canSeeGroup(world, caller, group) ? (`group-${group.id}` as const) : undefined
  const owner = project && canSeeProject(world, caller, project) ? project.id : ofGroup
  // Uploads never get such a name.
  if (owner === undefined || cleanFileName(name) !== name) return undefined
  return { name, path: join(filesFolder(world, owner), secret, name) }
}

async function read(path: string): Promise<Buffer> {
  try {
    return await readFile(path)
  } catch (cause) {
    if (cause instanceof Error && 'code' in cause && cause.code === 'ENOENT') throw Object.assign(notFound(), { cause })
    throw cause
  }
}

function send(response: Response, name: string, bytes: Buffer) {
  const picture = pictureType(name)
  if (picture === undefined) response.attachment(name)
  response
    .set({
      'Content-Type': picture ?? 'application/octet-stream',
      'X-Content-Type-Options': 'nosniff',
      'Content-Security-Policy': "default-src 'none'; sandbox",
      'Cache-Control': 'private, max-age=0, must-revalidate',
    })
    .end(bytes)
}
