// Replaces the service token by the service's own rotation, and writes the new one into the token file.

import { open, realpath, rename, rm, stat } from 'node:fs/promises'
import type { Client } from '../../client/create-client.ts'
import { ServiceError } from '../../client/errors.ts'
import { UserError } from '../user-error.ts'
import { remedyFor } from './connect.ts'

const dayMs = 24 * 60 * 60_000

/**
 * The new token lasts until `expiresAt`, else as long as the present one was made for. Throws UserError, and says
 * whether the present token still works. `expires_at` of the result is a date; null: never, or unknown.
 */
export async function rotateToken(
  client: Pick<Client, 'users'>,
  { file, expiresAt }: { file: string; expiresAt?: string },
) {
  // This comes first, because it finds the new token that an interrupted run left.
  const prepared = await prepareFile(file)
  const own = await client.users.currentToken({}).catch((error: unknown) => notRotated(error, prepared))
  const expires_at = expiresAt ?? sameLifetime(own.body)
  const { body } = await client.users
    .rotateCurrentToken({ expires_at })
    .catch((error: unknown) => failedRotation(error, prepared))
  const token = usable(body.token)
  if (token === undefined) throw await lost(prepared, 'the service returned no usable token')
  await prepared.replace(token).catch((error: unknown) => unwritten(error, file, prepared))
  return { file, name: body.name ?? null, expires_at: body.expires_at ?? null }
}

/** The token, if a header can carry it. */
function usable(token: string | undefined): string | undefined {
  return token !== undefined && /^[\x21-\x7e]{1,2000}$/.test(token) ? token : undefined
}

/** The service's own default is a week. */
function sameLifetime({ created_at, expires_at }: { created_at?: string; expires_at?: string | null }) {
  const lifetime = Date.parse(expires_at ?? '') - Date.parse(created_at?.slice(0, 10) ?? '')
  if (Number.isNaN(lifetime)) return undefined
  const days = Math.min(365, Math.max(1, Math.round(lifetime / dayMs)))
  return new Date(Date.now() + days * dayMs).toISOString().slice(0, 10)
}

async function notRotated(error: unknown, prepared: PreparedFile): Promise<never> {
  await prepared.discard()
  if (!(error instanceof ServiceError)) throw error
  const remedy = remedyFor(error) || ' Make a new token at the service, and write it into the file.'
  throw new UserError(`Nothing was rotated: the hosting service: ${error.message}.${remedy}`, { cause: error })
}

async function failedRotation(error: unknown, prepared: PreparedFile): Promise<never> {
  if (error instanceof ServiceError && error.mayHaveBeenApplied) throw await lost(prepared, error.message, error)
  return notRotated(error, prepared)
}

async function lost(prepared: PreparedFile, reason: string, cause?: unknown): Promise<UserError> {
  await prepared.discard()
  return new UserError(
    `The token may have been rotated, and the new one is lost: ${reason}. If bellhop doctor says that the token is rejected, make a new one at the service, and write it into the file.`,
    { cause },
  )
}

function unwritten(cause: unknown, file: string, { newPath }: PreparedFile): never {
  throw new UserError(
    `The token was rotated, but ${file} could not be written (${reasonOf(cause)}). If ${newPath} has the new token, move it to ${file}; else make one at the service, and delete ${newPath}.`,
    { cause },
  )
}

type PreparedFile = Awaited<ReturnType<typeof prepareFile>>

/** Makes the file that will replace `path`, in the same folder, with its owner and mode. Throws UserError. */
async function prepareFile(path: string) {
  // A link stays a link.
  const target = await realpath(path).catch((cause: Error) => refuse(path, cause))
  const newPath = `${target}.new`
  const handle = await open(newPath, 'wx', 0o600).catch((cause: NodeJS.ErrnoException) =>
    cause.code === 'EEXIST' ? refuseLeftover(newPath, path, cause) : refuse(path, cause),
  )
  /** Removes the prepared file, for a token that was not rotated. */
  const discard = async () => {
    await handle.close()
    await rm(newPath, { force: true })
  }
  try {
    const [before, made] = [await stat(target), await handle.stat()]
    if (before.uid !== made.uid || before.gid !== made.gid) await handle.chown(before.uid, before.gid)
    // After the owner: the service may run as another user, who must still read it.
    await handle.chmod(before.mode & 0o777)
  } catch (cause) {
    await discard()
    return refuse(path, cause)
  }
  return {
    /** Where the new token is until it is in place, also after a crash. */
    newPath,
    async replace(token: string): Promise<void> {
      try {
        await handle.write(`${token}\n`)
        await handle.sync()
      } finally {
        await handle.close()
      }
      await rename(newPath, target)
    },
    discard,
  }
}

const reasonOf = (cause: unknown) => (cause instanceof Error ? cause.message : String(cause))

function refuse(path: string, cause: unknown): never {
  throw new UserError(
    `Nothing was rotated: ${path} cannot be replaced (${reasonOf(cause)}). Run this as the owner of the file, where its folder is writable. A file of an orchestrator's secret is changed there, with a new token from the service.`,
    { cause },
  )
}

function refuseLeftover(newPath: string, path: string, cause: unknown): never {
  throw new UserError(
    `Nothing was rotated: ${newPath} exists. Another rotation runs, or one was interrupted. If it has a token, move it to ${path}; else delete it.`,
    { cause },
  )
}
