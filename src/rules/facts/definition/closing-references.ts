// Which issues the texts of a merge request name, and the calls that read them.
import { isMap } from '../../language/values/shapes.ts'
import { PAGE, source } from './source.ts'

/** Any way to name an issue, whatever words come before: an installation may have its own closing pattern. */
const NAMES_ISSUE = /#\d|(?:issues|incident|work_items)\/\d|\[(?:issue|work_item):|GL-\d/i

export const mayNameIssues = (text: string): boolean => NAMES_ISSUE.test(text)

// GitLab's default closing pattern. It takes linear time, because each run of blanks is made one blank before.
const KEYWORD = /\b(?:clos(?:e[sd]?|ing)|fix(?:e[sd]|ing)?|resolv(?:e[sd]?|ing)|implement(?:s|ed|ing)?):? /gi
const REFERENCE =
  /(?:issues? )?(?:(?:(?<path>[\w.-]{1,255}(?:\/[\w.-]{1,255}){0,20})?#|GL-|(?<url>https?:\/\/[^\s#?]{1,1000}?)(?:\/-)?\/(?:issues(?:\/incident)?|work_items)\/)(?<iid>\d+)(?!\w)(?:\+s?)?|\[(?:issue|work_item):(?:(?<within>[\w./-]{1,1000})\/)?(?<number>\d+)\])(?: ?,? and | ?,? ?)?/iy

/** `group/app#12` for each issue that the text closes by the default pattern. `own`: the project's full path. */
export function closedBy(text: string, { own, page }: { own: string; page: string }): string[] {
  const root = page.endsWith(`/${own}`) ? page.slice(0, -own.length) : undefined
  const plain = text.replace(/ +/g, ' ')
  return [...plain.matchAll(KEYWORD)].flatMap((keyword) => {
    const found: string[] = []
    REFERENCE.lastIndex = keyword.index + keyword[0].length
    for (let match = REFERENCE.exec(plain); match !== null; match = REFERENCE.exec(plain)) {
      const { path, within = path, url, number, iid = number } = match.groups ?? {}
      if (url === undefined) found.push(`${fullPath(within, own)}#${Number(iid)}`)
      else if (root !== undefined && url.startsWith(root)) found.push(`${url.slice(root.length)}#${Number(iid)}`)
    }
    return found
  })
}

/** A path without a slash names a project in the same group. */
function fullPath(path: string | undefined, own: string): string {
  if (path === undefined) return own
  return path.includes('/') ? path : `${own.slice(0, own.lastIndexOf('/'))}/${path}`
}

export const closingSources = {
  // The full name of the branch: a tag may have the same short one. Cached: a target that moves on shortens the list.
  landingCommits: source({
    doc: 'The commits of its head that its target branch lacks.',
    endpoint: 'repository.commits.list',
    params: (ref, { mergeRequest }) => {
      const { sha, target_branch: target } =
        mergeRequest?.ok === true && isMap(mergeRequest.body) ? mergeRequest.body : {}
      if (typeof sha !== 'string' || typeof target !== 'string') return null
      return { id: ref.project, ref_name: `refs/heads/${target}..${sha}`, per_page: PAGE }
    },
    cachedForMs: 60 * 60_000,
    cost: 4,
    paged: true,
  }),
  referencedIssue: source({
    doc: 'An issue that a commit message closes.',
    endpoint: 'issues.get',
    params: (_ref, _answers, instance) => {
      const [path, iid] = instance?.split('#') ?? []
      return path === undefined || iid === undefined ? null : { id: path, issue_iid: Number(iid) }
    },
    cost: 4,
  }),
}
