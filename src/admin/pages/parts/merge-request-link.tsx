// The page of a merge request, by its name; of the project itself where that is what is meant.
import { isProject } from '../../../rules/project-ref.ts'
import type { MergeRequestRef } from '../../../rules/types.ts'
import { linkTo, pathTo } from './links.ts'
import { ProjectLink } from './project-link.tsx'

export function MergeRequestLink({ of: { project, iid } }: { of: Pick<MergeRequestRef, 'project' | 'iid'> }) {
  if (isProject({ iid })) return <ProjectLink of={{ project }} />
  return (
    <a class="id" href={linkTo(pathTo('merge-requests', project, iid))}>
      {project}!{iid}
    </a>
  )
}
