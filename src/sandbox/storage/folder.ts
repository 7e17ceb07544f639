// A sandbox's folder on disk: repositories, uploads and, when records are stored, their database.
import { existsSync } from 'node:fs'
import { access, constants, mkdir, stat } from 'node:fs/promises'
import { dirname, join, resolve } from 'node:path'
import { DirectoryInUse } from '../../embedded-postgres/errors.ts'

interface Folders {
  root: string
  /** Bare repositories, `<project id>.git`. */
  repositories: string
  uploads: string
  /** The database, when records are stored. */
  records: string
}

export function foldersIn(folder: string): Folders {
  const root = resolve(folder)
  return {
    root,
    repositories: join(root, 'repositories'),
    uploads: join(root, 'uploads'),
    records: join(root, 'records'),
  }
}

/** Makes a folder and those above it. Throws if it cannot be written. */
export async function makeFolder(folder: string): Promise<void> {
  // Step by step: Node's recursive mkdir never ends if a file system takes no folders, as in /proc.
  if (!existsSync(folder)) {
    if (!existsSync(dirname(folder))) await makeFolder(dirname(folder))
    await mkdir(folder)
  }
  await access(folder, constants.W_OK | constants.X_OK)
  if (!(await stat(folder)).isDirectory())
    throw Object.assign(new Error(`${folder} is not a folder`), { code: 'ENOTDIR' })
}

/** The error that names the folder in one line, for one that the folder caused. */
export function folderError(folder: string, error: unknown): unknown {
  if (error instanceof DirectoryInUse) {
    const advice = 'stop that sandbox, or give this one a folder of its own'
    return new Error(`The folder ${folder} is in use by ${error.holder}: ${advice}.`)
  }
  const code = error instanceof Error && 'code' in error ? error.code : undefined
  if (['EACCES', 'EPERM', 'EROFS', 'ENOTDIR', 'EEXIST', 'ENOENT', 'ENOSPC'].includes(String(code))) {
    return new Error(`The folder ${folder} cannot be written: ${(error as Error).message}`, { cause: error })
  }
  return error
}
