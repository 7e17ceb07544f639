// Reads branches and tags from git's files: without it, tests of merge requests start half as many git processes again.
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { isRefName, isSha } from './names.ts'

/** `sha` undefined: no such ref. Undefined: only git can tell. */
export async function readRefFile(repository: string, ref: string): Promise<{ sha: string | undefined } | undefined> {
  const [, name] = /^refs\/(?:heads|tags)\/(.+)$/s.exec(ref) ?? []
  if (name === undefined || !isRefName(name)) return undefined
  try {
    // In git's order: a ref is packed before its own file goes.
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

async function contentOf(path: string): Promise<string | undefined> {
  return readFile(path, 'utf8').catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT' || error.code === 'ENOTDIR' || error.code === 'EISDIR') return undefined
    throw error
  })
}
