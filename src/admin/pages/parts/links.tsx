// URLs of the dashboard’s pages, links to them, and names.
import { fullRefName, isProject, type NamedRef, refName } from '../../../rules/facts/definition/subject-ref.ts'

/** Leaves out undefined values. */
export function linkTo(path: string, query: Record<string, string | number | undefined> = {}): string {
  const given = Object.entries(query).flatMap(([name, value]) => (value === undefined ? [] : [[name, String(value)]]))
  const text = new URLSearchParams(given).toString()
  return `/admin${path}${text === '' ? '' : `?${text}`}`
}

/** A path such as `/deliveries/{id}`; ids may be any text. */
export const pathTo = (...parts: (string | number)[]) => parts.map((each) => `/${encodeURIComponent(each)}`).join('')

export function ProjectLink({ of: { project, path } }: { of: NamedRef }) {
  return <a href={linkTo(pathTo('projects', project))}>{refName({ project, path })}</a>
}

/** `group/app!12 · title`, `group/app#12 · title`; links to the project if iid is 0. */
export function MergeRequestLink({ of }: { of: NamedRef & { iid: number } }) {
  if (isProject(of)) return <ProjectLink of={of} />
  return <a href={linkTo(pathTo(pageOf(of.subject), of.project, of.iid))}>{fullRefName(of)}</a>
}

/** What it is, for a heading. */
export function wordFor({ iid, subject }: Pick<NamedRef, 'iid' | 'subject'>): string {
  return subject === 'issue' ? 'Issue' : isProject({ iid: iid ?? 0 }) ? 'Project' : 'Merge request'
}

/** The first part of the path of its page. */
export const pageOf = (subject: NamedRef['subject']) => (subject === 'issue' ? 'issues' : 'merge-requests')

/** A link to its page of the service; nothing if that is unknown. */
export function ServiceLink({ of: { url } }: { of: NamedRef }) {
  return url === undefined ? null : <a href={url}>Open in the service</a>
}

export function DeliveryLink({ id, text = id }: { id: string; text?: string }) {
  return (
    <a class="id" href={linkTo(pathTo('deliveries', id))}>
      {text}
    </a>
  )
}

export function DecisionLink({ of: { id } }: { of: { id: string } }) {
  return (
    <a class="id" href={linkTo(pathTo('decisions', id))}>
      {id.slice(0, 8)}
    </a>
  )
}

/** Links to other pages of a list, by their names; those without an address are left out. */
export function Pager({ to }: { to: Record<string, string | undefined> }) {
  const links = Object.entries(to).filter(([, href]) => href !== undefined)
  if (links.length === 0) return null
  return (
    <nav class="pager" aria-label="Pages">
      {links.map(([name, href]) => (
        <a key={name} href={href}>
          {name}
        </a>
      ))}
    </nav>
  )
}

/** `mergeRequests` → Merge requests; also of a state. */
export function queueTitle(queue: string): string {
  const words = queue.replace(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`)
  return words.charAt(0).toUpperCase() + words.slice(1)
}
