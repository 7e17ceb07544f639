// Housekeeping and pull mirroring of a project's repository (api-v4.md §4.3).
import type { Api } from '../../api/index.ts'
import { findProjectFor, maintainer } from '../access.ts'
import { refuseArchived } from '../archived.ts'
import { collectGarbage } from '../git/collect-garbage.ts'
import type { Handlers } from '../handler.ts'
import { startFetch } from '../projects/fetch.ts'
import { refuse } from '../refusal.ts'

export const mirroring: Handlers<Pick<Api['projects'], 'housekeeping' | 'mirrorPull'>> = {
  /** Also of an archived project: nothing that anyone sees changes. */
  async housekeeping({ params, caller, world }) {
    await collectGarbage(world, findProjectFor(world, caller, params.id, maintainer).id)
    return { message: '201 Created' }
  },

  mirrorPull({ params, caller, world }) {
    const project = findProjectFor(world, caller, params.id, maintainer)
    refuseArchived(project)
    if (project.import_url === null) throw refuse(400, 'The project is not mirrored')
    startFetch(world, project, { announceAs: caller.id })
    return { message: '200 OK' }
  },
}
