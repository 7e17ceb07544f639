// Where a sandbox keeps its things on disk, and what it says when it may not.
import { existsSync } from 'node:fs'
import { access, constants, mkdir, stat } from 'node:fs/promises'
import { dirname, join, resolve } from 'node:path'
import { DirectoryInUse } from '../embedded-postgres/errors.ts'

export interface Folders {
  /** Bare repositories, `<project id>.git`. */
  repositories: string
  /** Uploaded files and avatars. */
  uploads: string
  /** The database of the records, when they are kept. */
  records: string
}

export function foldersIn(folder: string): Folders {
  const at = resolve(folder)
  return { repositories: join(at, 'repositories'), uploads: join(at, 'uploads'), records: join(at, 'records') }
}

/** Makes a folder that can be written, with those above it. */
export async function makeFolder(folder: string): Promise<void> {
  // Step by step: Node's own recursive mkdir never ends where a file system takes no folders, as in /proc.
  if (!existsSync(folder)) {
    if (!existsSync(dirname(folder))) await makeFolder(dirname(folder))
    await mkdir(folder)
  }
  await access(folder, constants.W_OK | constants.X_OK)
  if (!(await stat(folder)).isDirectory()) throw Object.assign(new Error(`${folder} is not a folder`), { code: 'ENOTDIR' })
}

/** What stands in the way of using a folder, in one line that names it; any other error as it is. */
export function folderProblem(folder: string, thrown: unknown): unknown {
  if (thrown instanceof DirectoryInUse) {
    return new Error(`The folder ${folder} is in use by ${thrown.holder}: stop that sandbox, or give this one a folder of its own.`)
  }
  const code = thrown instanceof Error && 'code' in thrown ? thrown.code : undefined
  if (['EACCES', 'EPERM', 'EROFS', 'ENOTDIR', 'EEXIST', 'ENOENT', 'ENOSPC'].includes(String(code))) {
    return new Error(`The folder ${folder} cannot be written: ${(thrown as Error).message}`, { cause: thrown })
  }
  return thrown
}
