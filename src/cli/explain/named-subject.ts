// What a command names: a project, `hotel/app!12`, `hotel/app#12`, or the page of a merge request or an issue.
import { UsageError } from '../user-error.ts'

export interface NamedSubject {
  /** Id or full path. */
  project: string
  /** 0 is the project itself. */
  iid: number
  subject?: 'issue'
}

const NUMBERED = /^(.+)([!#])([1-9]\d{0,14})$/s
/** Since 17.2 the page of an issue may be that of a work item; the number is the same. */
const PAGE = /^(.+?)\/-\/(merge_requests|issues|work_items)\/([1-9]\d{0,14})(?:[/?#]|$)/s

/** Throws UsageError for a page that is none of the service, or of something else. */
export function namedSubject(text: string, serviceUrl = ''): NamedSubject {
  if (!/^https?:\/\//i.test(text)) {
    const [, project = text, mark, iid = 0] = NUMBERED.exec(text) ?? []
    return { project, iid: Number(iid), subject: mark === '#' ? 'issue' : undefined }
  }
  const root = `${serviceUrl.replace(/\/+$/, '')}/`
  if (!text.toLowerCase().startsWith(root.toLowerCase()))
    throw new UsageError(`${text} is no page of the hosting service${serviceUrl === '' ? '' : ` ${serviceUrl}`}.`)
  const [, project, kind, iid] = PAGE.exec(text.slice(root.length)) ?? []
  if (project === undefined) throw new UsageError(`${text} is no page of a merge request or an issue.`)
  return { project, iid: Number(iid), subject: kind === 'merge_requests' ? undefined : 'issue' }
}
