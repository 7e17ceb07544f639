// The page of a merge request, by its name; the project itself has one too.
import { isProject } from '../../../rules/project-ref.ts'
import type { MergeRequestRef } from '../../../rules/types.ts'
import { linkTo, pathTo } from './links.ts'

type Ref = Pick<MergeRequestRef, 'project' | 'iid'>

export const mergeRequestPath = ({ project, iid }: Ref) => pathTo('merge-requests', project, iid)

export function MergeRequestLink({ of }: { of: Ref }) {
  return (
    <a class="id" href={linkTo(mergeRequestPath(of))}>
      {isProject(of) ? `project ${of.project}` : `${of.project}!${of.iid}`}
    </a>
  )
}
