// How a project counts approvals; Premium.
import type { Api } from '../../api/index.ts'
import { findProjectFor, findProjectToChange, maintainer } from '../access/access.ts'
import { notFound } from '../http/error-response.ts'
import type { Handlers } from '../http/handler.ts'
import { isPremium } from '../installation.ts'
import { pick } from '../records/fields.ts'
import { now, type World } from '../storage/world.ts'

const names = ['approvals_before_merge', 'reset_approvals_on_push'] as const

export const approvalSettings: Handlers<Api['projects']['approvalSettings']> = {
  get({ params, caller, world }) {
    refuseFree(world)
    return pick(findProjectFor(world, caller, params.id, maintainer), ...names)
  },

  update({ params, caller, world }) {
    refuseFree(world)
    const project = findProjectToChange(world, caller, params.id, maintainer)
    const updated = world.projects.update(project.id, { ...pick(params, ...names), updated_at: now(world) })
    return pick(updated, ...names)
  },
}

function refuseFree(world: World) {
  if (!isPremium(world)) throw notFound()
}
