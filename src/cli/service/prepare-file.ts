// Prepares the replacement of a token file before its token is rotated, so that what could fail fails first.
import { type FileHandle, open, readFile, realpath, rename, rm, stat } from 'node:fs/promises'
import { dirname } from 'node:path'
import { UserError } from '../user-error.ts'

export type PreparedFile = Awaited<ReturnType<typeof prepareFile>>

export class ReplaceError extends Error {
  /** Whether the token is at least in `newPath`. */
  readonly written: boolean
  constructor(written: boolean, cause: unknown) {
    super(cause instanceof Error ? cause.message : String(cause), { cause })
    this.written = written
  }
}

/** Longer than any token: so much space on the disk is reserved. */
const reservedBytes = 4096

/** Makes the file that will replace `path`, in the same folder, with its owner and mode. Throws UserError. */
export async function prepareFile(path: string, { mounts = '/proc/self/mountinfo' } = {}) {
  // A link stays a link.
  const target = await realpath(path).catch((cause: Error) => refuse(path, cause))
  if (await isMounted(target, mounts)) refuse(path, 'it is mounted by itself: mount its folder')
  const newPath = `${target}.new`
  const handle = await open(newPath, 'wx', 0o600).catch((cause: NodeJS.ErrnoException) =>
    cause.code === 'EEXIST' ? refuseLeftover(newPath, path, cause) : refuse(path, cause),
  )
  try {
    await reserve(handle, target)
  } catch (cause) {
    await handle.close()
    await rm(newPath, { force: true })
    return refuse(path, cause)
  }
  return {
    /** Where the new token stands until it is in place. */
    newPath,
    /** Throws ReplaceError when the token is not in place. */
    async replace(token: string): Promise<void> {
      let written = false
      try {
        await handle.write(`${token}\n`, 0, 'utf8')
        await handle.truncate(Buffer.byteLength(token) + 1)
        await handle.sync()
        written = true
        await rename(newPath, target)
        await syncFolder(dirname(target))
      } catch (cause) {
        throw new ReplaceError(written, cause)
      } finally {
        await handle.close()
      }
    },
    /** Removes the prepared file, for a token that was not rotated. */
    async discard(): Promise<void> {
      await handle.close()
      await rm(newPath, { force: true })
    },
  }
}

/** Whether the file alone is mounted, as in containers: then no other file can replace it. */
async function isMounted(target: string, mounts: string): Promise<boolean> {
  // Other systems have no such list.
  const list = await readFile(mounts, 'utf8').catch(() => '')
  const place = target.replaceAll(/[ \t\n\\]/g, (each) => `\\${each.charCodeAt(0).toString(8).padStart(3, '0')}`)
  return list.split('\n').some((line) => line.split(' ')[4] === place)
}

/** Sets the owner and the mode, and reserves the space on the disk. */
async function reserve(handle: FileHandle, target: string): Promise<void> {
  const [before, made] = [await stat(target), await handle.stat()]
  if (before.uid !== made.uid || before.gid !== made.gid) await handle.chown(before.uid, before.gid)
  // After the owner: the service may run as another user, who must still read it.
  await handle.chmod(before.mode & 0o777)
  await handle.write(Buffer.alloc(reservedBytes, '\n'), 0, reservedBytes, 0)
  await handle.sync()
}

/** Writes the folder to the disk, so that the name survives a crash as well. */
async function syncFolder(folder: string): Promise<void> {
  const handle = await open(folder, 'r')
  try {
    await handle.sync()
  } finally {
    await handle.close()
  }
}

function refuse(path: string, cause: unknown): never {
  const reason = cause instanceof Error ? cause.message : String(cause)
  throw new UserError(
    `Nothing was rotated: ${path} cannot be replaced (${reason}). Run this as the owner of the file, where its folder is writable. A file of an orchestrator's secret is changed there, with a new token from the service.`,
    { cause },
  )
}

function refuseLeftover(newPath: string, path: string, cause: unknown): never {
  throw new UserError(
    `Nothing was rotated: ${newPath} exists. Another rotation runs, or one was interrupted. If it has a token, move it to ${path}; else delete it.`,
    { cause },
  )
}
