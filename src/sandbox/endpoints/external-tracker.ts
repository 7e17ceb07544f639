// Issues elsewhere: with an external tracker, those that a merge closes are of it (api-v4.md §2.7).
import type { Api } from '../../api/index.ts'
import { findProjectFor, maintainer } from '../access.ts'
import { refuseArchived } from '../archived.ts'
import type { Handlers } from '../handler.ts'
import { invalid } from '../refusal.ts'

export const externalTracker: Handlers<Pick<Api['projects'], 'setExternalTracker' | 'removeExternalTracker'>> = {
  setExternalTracker({ params, caller, world }) {
    const project = findProjectFor(world, caller, params.id, maintainer)
    refuseArchived(project)
    const { url } = params
    if (!URL.canParse(url) || !/^https?:$/.test(new URL(url).protocol)) throw invalid('url', 'must be a valid URL')
    world.projects.update(project.id, { external_tracker_url: url })
    return { url }
  },

  removeExternalTracker({ params, caller, world }) {
    const project = findProjectFor(world, caller, params.id, maintainer)
    refuseArchived(project)
    world.projects.update(project.id, { external_tracker_url: null })
    return null
  },
}
