// Reads one rule file of a project from the service, always at a commit, and caches the rules of each version.

import { LRUCache } from 'lru-cache'
import type { Client } from '../../client/create-client.ts'
import { readRules } from '../../rules/language/documents/rule-document.ts'
import type { ReadRules } from '../../rules/types.ts'
import { isNotFound } from '../service/retry-policy.ts'

export type ReadingClient = Pick<Client, 'projects' | 'repository'>

export interface FileText {
  blob: string
  text: string
}

/**
 * The head of a branch, read unconditionally; null if there is no such branch. Files are read at this commit, as git
 * takes a tag before a branch of the same name.
 */
export async function headOf(client: ReadingClient, project: number, branch: string): Promise<string | null> {
  const found = await orNull(() => client.repository.branches.get({ id: project, branch }, { bypassCache: true }))
  if (found === null) return null
  const head = found.body.commit?.id
  if (head === undefined) throw new Error(`the branch ${branch} of project ${project} came without its commit`)
  return head
}

/** The commit that a tag names; null if there is no such tag. */
export async function commitOfTag(client: ReadingClient, project: number, tag: string): Promise<string | null> {
  const found = await orNull(() => client.repository.tags.get({ id: project, tag_name: tag }, { bypassCache: true }))
  if (found === null) return null
  const commit = found.body.commit?.id
  if (commit === undefined) throw new Error(`the tag ${tag} of project ${project} came without its commit`)
  return commit
}

/** A whole commit id, which git takes for nothing else. */
export const isCommit = (text: string) => /^([0-9a-f]{40}|[0-9a-f]{64})$/.test(text)

/** A file at a commit; null for 404. Throws what the client throws: an unreadable file is never "no file". */
export async function fileAt(
  client: ReadingClient,
  project: number,
  path: string,
  commit: string,
): Promise<FileText | null> {
  const found = await orNull(() => client.repository.files.get({ id: project, file_path: path, ref: commit }))
  if (found === null) return null
  const { content, blob_id: blob } = found.body
  if (content === undefined || blob === undefined)
    throw new Error(`${path} of project ${project} came without content or blob id`)
  return { blob, text: Buffer.from(content, 'base64').toString('utf8') }
}

async function orNull<T>(task: () => Promise<T>): Promise<T | null> {
  try {
    return await task()
  } catch (error) {
    if (isNotFound(error)) return null
    throw error
  }
}

/** Characters of the texts whose rules are cached. Parsed rules take 6 to 22 bytes per character: 180 MB at most. */
const mostCharacters = 8_000_000

/** The rules or problems of a repository's own or an included file. Callers share the result: do not change it. */
export type RuleCache = (file: FileText, as: { path: string; included?: boolean }) => ReadRules

/** An empty cache. */
export function createRuleCache(): RuleCache {
  const cache = new LRUCache<string, { text: string; rules: ReadRules }>({
    maxSize: mostCharacters,
    sizeCalculation: ({ text }) => text.length + 1,
  })
  return ({ blob, text }, { path, included = false }) => {
    const key = `${blob} ${included} ${path}`
    const cached = cache.get(key)
    // Compares the text too: the service names the blob, and could name another file's.
    if (cached?.text === text) return cached.rules
    const rules = readRules(text, path, { trust: 'repository', ...(included ? { included } : {}) })
    cache.set(key, { text, rules })
    return rules
  }
}
