// Finds references to issues: closing ones such as `Closes #1`, by GitLab's default pattern, and mentions.
import type { IssueRecord, MergeRequest } from '../records/records.ts'
import { projectById, type World } from '../storage/world.ts'

/** `#4` or `path#4`. */
export interface ClosingReference {
  path: string | null
  iid: number
}

// Bounded runs of blanks keep the time linear.
const keyword =
  /(?<!\w)(?:[Cc]los(?:e[sd]?|ing)|[Ff]ix(?:e[sd]|ing)?|[Rr]esolv(?:e[sd]?|ing)|[Ii]mplement(?:s|ed|ing)?):? {1,20}/g
const separator = /(?: {0,20},? {1,20}and {1,20}| {0,20},? {0,20})(?:issues? {1,20})?/y
const opening = /(?:issues? {1,20})?/y
const byNumber = /([\w.-]{1,255}(?:\/[\w.-]{1,255}){0,20})?#(\d{1,10})(?!\w)/y
const byAddress = /https?:\/\/[^\s#?]{1,2000}/y
/** Where one may begin: an address, or a path or `#` that follows no word. */
const mention = /(?<![\w/.#-])(?:https?:\/\/|(?:[\w.-]{1,255}(?:\/[\w.-]{1,255}){0,20})?#\d)/g

/** In order, with repetitions. `url` is the sandbox's own. */
export function closingReferences(text: string, url: string): ClosingReference[] {
  const found: ClosingReference[] = []
  for (const { index, 0: word } of text.matchAll(keyword)) {
    let at = after(opening, text, index + word.length) ?? index + word.length
    for (;;) {
      const next = referenceAt(text, at, url)
      if (next === undefined) break
      found.push(next.reference)
      at = after(separator, text, next.end) ?? next.end
    }
  }
  return found
}

/** All references, closing or not, in order, with repetitions. */
export function issueReferences(text: string, url: string): ClosingReference[] {
  const found: ClosingReference[] = []
  for (const { index } of text.matchAll(mention)) {
    const next = referenceAt(text, index, url)
    if (next !== undefined) found.push(next.reference)
  }
  return found
}

function after(pattern: RegExp, text: string, at: number) {
  pattern.lastIndex = at
  return pattern.test(text) ? pattern.lastIndex : undefined
}

function referenceAt(text: string, at: number, url: string): { reference: ClosingReference; end: number } | undefined {
  byNumber.lastIndex = at
  const number = byNumber.exec(text)
  if (number !== null)
    return { reference: { path: number[1] ?? null, iid: Number(number[2]) }, end: byNumber.lastIndex }
  byAddress.lastIndex = at
  const address = byAddress.exec(text)?.[0]
  if (address?.startsWith(`${url}/`)) {
    const issue = /^([^/]+\/.+?)(?:\/-)?\/(?:issues|work_items)\/(\d{1,10})(?!\w)/.exec(address.slice(url.length + 1))
    if (issue !== null)
      return {
        reference: { path: issue[1] ?? null, iid: Number(issue[2]) },
        end: at + url.length + 1 + issue[0].length,
      }
  }
  return undefined
}

/** How many merge requests of its project say that they close it; commits do not count here, since that costs git. */
export function countClosing(world: World, issue: IssueRecord): number {
  const target = projectById(world, issue.project_id).default_branch
  return world.mergeRequests
    .where('project', issue.project_id)
    .filter((mr) => mr.target_branch === target && names(world, mr, issue, closingReferences)).length
}

/** Whether title or description name the issue. */
export function mentions(world: World, mr: MergeRequest, issue: IssueRecord): boolean {
  return names(world, mr, issue, issueReferences)
}

function names(
  world: World,
  mr: MergeRequest,
  { project_id, iid }: IssueRecord,
  read: (text: string, url: string) => ClosingReference[],
): boolean {
  // Most texts do not name the issue: this test is cheaper than reading their references.
  const texts = [mr.title, mr.description].filter((text) => text.includes(`#${iid}`) || text.includes(`/${iid}`))
  return texts
    .flatMap((text) => read(text, world.url))
    .some((reference) => reference.iid === iid && projectNamed(world, mr, reference.path)?.id === project_id)
}

/** `#4` is in the merge request's project, `app#4` in a sibling, `group/app#4` anywhere. */
export function projectNamed(world: World, mr: MergeRequest, path: string | null) {
  if (path === null) return projectById(world, mr.project_id)
  const own = projectById(world, mr.project_id).path_with_namespace
  const full = path.includes('/') ? path : `${own.slice(0, own.lastIndexOf('/'))}/${path}`
  return world.projects.first('path', full.toLowerCase())
}
