// What a description depends on (`Depends on !12, group/app!7, https://…/-/merge_requests/3`), and calls to read it.

import { blockTokens, fencedQuotes } from '../../language/commands/comment-commands.ts'
import { source } from './source.ts'

/** A merge request as a description names it; without `path`, it is in the same project. */
export type Reference = { path?: string; iid: number } | { url: string }

/** How references are resolved: the paths of the description's and the evaluated project, and the service's address. */
export interface ReferencePlace {
  /** Absent for the evaluated project. */
  path?: string
  own?: string
  root?: string
}

/** With more references, the fact is unknown. */
export const MOST_REFERENCES = 10
/** Parsing a longer description may take long. */
const LONGEST_DESCRIPTION = 100_000

const KEYWORD = /^[*_]{0,3}depends[ -]on(?![\w-])[*_:]{0,5}\s*/i
const SEPARATOR = /[\s,;&]*(?:and\s+)?/y
const URL = /(?:\[[^\]]{0,200}\]\()?<?(https?:\/\/[^\s<>()[\],]{1,1000})>?\)?/iy
const PLAIN = /((?:[\w.-]{1,255}\/){0,20}[\w.-]{1,255})?!(\d{1,9})(?!\w)(?:\+s?)?/y

/** Each reference once, in order, up to one more than are read; undefined if the text is too long. */
export function dependencyReferences(markdown: string): Reference[] | undefined {
  if (markdown.length > LONGEST_DESCRIPTION) return undefined
  if (!/depends[ -]on/i.test(markdown)) return []
  const found = new Map<string, Reference>()
  for (const line of textLines(markdown))
    for (const each of referencesOf(line)) {
      if (found.size > MOST_REFERENCES) break
      found.set(JSON.stringify(each).toLowerCase(), each)
    }
  return [...found.values()]
}

/**
 * The lines outside of code, quotes and comments. Fails closed: a doubtful line counts.
 * GitLab's templates begin with comments, and HTML blocks reach to the next blank line.
 */
function textLines(markdown: string): string[] {
  const lines = markdown.replace(/\r\n?/g, '\n')
  const tokens = blockTokens(lines)
  const { quoted, open } = fencedQuotes(lines.split('\n'), tokens)
  let quotes = 0
  return tokens.flatMap(({ type, content, map }) => {
    const start = map?.[0] ?? 0
    if (quoted.has(start) && start < open) return []
    if (type === 'blockquote_open') quotes += 1
    if (type === 'blockquote_close') quotes -= 1
    if (quotes > 0 || (type !== 'inline' && type !== 'html_block')) return []
    // Only a comment that begins a line hides what follows.
    const text = type === 'inline' ? content : content.replace(/<!--[\s\S]*?(?:-->|$)/g, '')
    return text.split('\n').map((line) => line.trim())
  })
}

/** The references at the beginning of a line; the rest is prose. */
function referencesOf(line: string): Reference[] {
  const keyword = KEYWORD.exec(line)
  if (keyword === null) return []
  const found: Reference[] = []
  let at = keyword[0].length
  const take = (expression: RegExp) => {
    expression.lastIndex = at
    const match = expression.exec(line)
    if (match !== null) at = expression.lastIndex
    return match
  }
  while (found.length <= MOST_REFERENCES) {
    take(SEPARATOR)
    const [, url] = take(URL) ?? []
    const [, path, iid] = (url === undefined ? take(PLAIN) : null) ?? []
    if (url !== undefined) found.push({ url: url.replace(/[.;:!?]+$/, '') })
    else if (iid !== undefined) found.push({ path, iid: Number(iid) })
    else break
  }
  return found
}

/** Whether paths must be known to resolve it. */
export const isQualified = (reference: Reference) => 'url' in reference || reference.path !== undefined

/** `!12` in the evaluated project, `group/app!7` elsewhere; undefined for what is no merge request of this service. */
export function resolveReference(reference: Reference, place: ReferencePlace): string | undefined {
  if ('url' in reference) return resolveUrl(reference.url, place)
  const base = place.path ?? place.own
  if (reference.path === undefined) return nameIn(place.path, reference.iid, place)
  // For GitLab, a path without a slash names a project in the same group.
  if (reference.path.includes('/')) return nameIn(reference.path, reference.iid, place)
  const namespace = base?.slice(0, base.lastIndexOf('/'))
  return namespace === undefined ? undefined : nameIn(`${namespace}/${reference.path}`, reference.iid, place)
}

function resolveUrl(url: string, place: ReferencePlace): string | undefined {
  const root = place.root === undefined ? undefined : `${place.root}/`
  if (root === undefined || !url.toLowerCase().startsWith(root.toLowerCase())) return undefined
  const [, path, iid] = /^([\w./-]+?)(?:\/-)?\/merge_requests\/(\d{1,9})(?!\w)/.exec(url.slice(root.length)) ?? []
  return path === undefined ? undefined : nameIn(path, Number(iid), place)
}

function nameIn(path: string | undefined, iid: number, { own }: ReferencePlace): string {
  return path === undefined || path.toLowerCase() === own?.toLowerCase() ? `!${iid}` : `${path}!${iid}`
}

/** The path and number of a name that `resolveReference` gave. */
export function splitName(name: string): { path?: string; iid: number } {
  const at = name.lastIndexOf('!')
  return { path: at > 0 ? name.slice(0, at) : undefined, iid: Number(name.slice(at + 1)) }
}

export const dependencySources = {
  blocks: source({
    doc: 'The merge requests that the service itself says must be merged first (Premium).',
    endpoint: 'mergeRequests.blocks.list',
    cost: 3,
    paged: true,
  }),
  dependency: source({
    doc: 'A merge request that the description says it depends on, or that such a one depends on.',
    endpoint: 'mergeRequests.get',
    params: (ref, _answers, instance = '') => {
      const { path, iid } = splitName(instance)
      return iid > 0 ? { id: path ?? ref.project, merge_request_iid: iid } : null
    },
    cost: 3,
  }),
}
