// URLs of the dashboard’s pages, and links to them.
import { isProject } from '../../../rules/facts/definition/project-ref.ts'

export function linkTo(path: string, query: Record<string, string> = {}): string {
  const text = new URLSearchParams(query).toString()
  return `/admin${path}${text === '' ? '' : `?${text}`}`
}

/** A path such as `/deliveries/{id}`; ids may be any text. */
export const pathTo = (...parts: (string | number)[]) => parts.map((each) => `/${encodeURIComponent(each)}`).join('')

export function ProjectLink({ of: { project, path } }: { of: { project: number; path?: string | undefined } }) {
  return <a href={linkTo(pathTo('projects', project))}>{path ?? `project ${project}`}</a>
}

/** Links to the project if iid is 0. */
export function MergeRequestLink({ of: { project, iid } }: { of: { project: number; iid: number } }) {
  if (isProject({ iid })) return <ProjectLink of={{ project }} />
  return (
    <a class="id" href={linkTo(pathTo('merge-requests', project, iid))}>
      {project}!{iid}
    </a>
  )
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
