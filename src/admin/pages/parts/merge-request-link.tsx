// The page of a merge request, by its name. The project itself has the list of its decisions.
import { isProject } from '../../../rules/project-ref.ts'
import type { MergeRequestRef } from '../../../rules/types.ts'
import { linkTo, pathTo } from './links.ts'

export function MergeRequestLink({ of: { project, iid } }: { of: Pick<MergeRequestRef, 'project' | 'iid'> }) {
  const [name, link] = isProject({ iid })
    ? [`project ${project}`, linkTo('/decisions', { project: String(project) })]
    : [`${project}!${iid}`, linkTo(pathTo('merge-requests', project, iid))]
  return (
    <a class="id" href={link}>
      {name}
    </a>
  )
}
