// Uploads (api-v4.md §4.3); who can see a project may comment on it, so they may upload too.
import type { Api } from '../../api/index.ts'
import { findProject } from '../access.ts'
import { refuseArchived } from '../archived.ts'
import type { Handlers } from '../handler.ts'
import { keepUpload } from '../projects/upload.ts'

export const uploads: Handlers<Pick<Api['projects'], 'upload'>> = {
  async upload({ params, caller, world }) {
    const project = findProject(world, caller, params.id)
    refuseArchived(project)
    return keepUpload(world, project.id, params.file)
  },
}
