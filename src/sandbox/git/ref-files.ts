// What branches and tags point to, read from the files in which git keeps them: for what is asked most, no process is started.
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { isRefName, isSha } from './names.ts'

/** What a branch or tag points to, given by its full name: `sha` is undefined when there is none; undefined where only git can tell. */
export async function readRefFile(repository: string, ref: string): Promise<{ sha: string | undefined } | undefined> {
  const [, name] = /^refs\/(?:heads|tags)\/(.+)$/s.exec(ref) ?? []
  if (name === undefined || !isRefName(name)) return undefined
  try {
    // In git's own order: what is packed away meanwhile is in the packed file before its own file goes.
    const own = (await contentOf(join(repository, ref)))?.trimEnd()
    if (own !== undefined) return isSha(own) ? { sha: own } : undefined
    const packed = (await contentOf(join(repository, 'packed-refs'))) ?? ''
    const end = packed.indexOf(` ${ref}\n`)
    if (end === -1) return { sha: undefined }
    const sha = packed.slice(packed.lastIndexOf('\n', end) + 1, end)
    return isSha(sha) ? { sha } : undefined
  } catch {
    return undefined
  }
}

/** Undefined where no file is. */
async function contentOf(path: string): Promise<string | undefined> {
  return readFile(path, 'utf8').catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT' || error.code === 'ENOTDIR' || error.code === 'EISDIR') return undefined
    throw error
  })
}
