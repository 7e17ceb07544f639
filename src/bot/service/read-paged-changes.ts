// Reads the changed files page by page. A page does not show its version: what is read around the pages must tell it.
import type { CallOptions, Client } from '../../client/create-client.ts'
import { bodyOf, ofMergeRequest, PAGE, versionOf } from '../../rules/facts/definition/source.ts'
import { sources } from '../../rules/facts/definition/sources.ts'
import { isMap } from '../../rules/language/values/shapes.ts'
import type { DecideInput, SourceAnswer } from '../../rules/types.ts'
import { isPermanentRefusal } from './retry-policy.ts'

const pages = 'mergeRequests.diffs'
const versions = 'mergeRequests.versions.list'
/** More is refused with 500 by some installations (docs/hosting-service.md). */
const filesOfAPage = 30
/** 1,000 files, as many as the service lists by default. */
const mostPages = 34

/**
 * The changes of the version that the merge request shows, as `GET …/changes` would tell them. Undefined if the
 * service refuses the pages, if they may be incomplete, or of another version: then one answer that shows its version
 * must be read. Throws what the client throws, but for permanent refusals.
 */
export async function readPagedChanges(
  client: Client,
  { mergeRequest: ref, answers }: Pick<DecideInput, 'mergeRequest' | 'answers'>,
  options: Pick<CallOptions, 'bypassCache'>,
): Promise<SourceAnswer | undefined> {
  const mergeRequest = bodyOf(sources.mergeRequest, answers[sources.mergeRequest.name])
  if (mergeRequest === undefined) return undefined
  const { sha, target_branch, diff_refs, changes_count } = mergeRequest
  const refs = wholeRefs(versionOf(mergeRequest))
  const most = pagesOf(changes_count)
  if (refs === undefined || most === undefined) return undefined
  try {
    const params = { ...ofMergeRequest(ref), per_page: filesOfAPage }
    // One more: without page headers, only an empty page tells that a full one was the last.
    const { items, complete } = await client.pages(pages, params, { ...options, maxPages: most + 1 }).collect()
    const body = { sha, target_branch, diff_refs, changes_count, changes: items }
    if (!complete || !sources.changes.complete(body as never)) return undefined
    // After the pages, and never from a cache: a push while they were read must show.
    const listed = await client.send(versions, { ...ofMergeRequest(ref), per_page: PAGE }, { bypassCache: true })
    return areOfOneVersion(listed.body, refs) ? { ok: true, body, complete: true } : undefined
  } catch (error) {
    if (!isPermanentRefusal(error)) throw error
    return undefined
  }
}

/** Undefined for `1000+`, which no list is known to complete, and if the service does not say. */
function pagesOf(count: unknown): number | undefined {
  if (typeof count !== 'string' || !/^\d{1,9}$/.test(count)) return undefined
  const number = Math.max(1, Math.ceil(Number(count) / filesOfAPage))
  return number > mostPages ? undefined : number
}

/** The three commits of a version; undefined if one is missing, or while head and references are of two versions. */
function wholeRefs({ head, refs = {} }: ReturnType<typeof versionOf>) {
  const { head_sha, base_sha: base, start_sha: start } = refs
  const isWhole = typeof head === 'string' && typeof base === 'string' && typeof start === 'string'
  return isWhole && head === head_sha ? { head, base, start } : undefined
}

/**
 * Whether no pages that were read between the merge request and this list can be of another version. The list must name
 * all versions, the newest must be the one that the merge request showed, and no other may have its head: a head that
 * is pushed back, or gets another target, makes a new version.
 */
function areOfOneVersion(
  listed: unknown,
  { head, base, start }: { head: string; base: string; start: string },
): boolean {
  if (!Array.isArray(listed) || listed.length >= PAGE || !listed.every(isMap)) return false
  const [newest, ...others] = listed
  const id = newest?.id
  return (
    Number.isSafeInteger(id) &&
    newest?.head_commit_sha === head &&
    newest.base_commit_sha === base &&
    newest.start_commit_sha === start &&
    others.every(
      (each) =>
        Number.isSafeInteger(each.id) &&
        Number(each.id) < Number(id) &&
        typeof each.head_commit_sha === 'string' &&
        each.head_commit_sha !== head,
    )
  )
}
