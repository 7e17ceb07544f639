// Forks and fork relations.
import type { Api } from '../../api/index.ts'
import { findProject, findReadableProject } from '../access/access.ts'
import { forbidden, notFound, refuse } from '../http/error-response.ts'
import { type Handlers, StatusResponse } from '../http/handler.ts'
import { descendsFrom } from '../merge-requests/source.ts'
import { forkProject } from '../projects/fork.ts'
import { findNamespace } from '../projects/namespace.ts'
import { listProjects } from '../projects/select.ts'
import { showSingleProject } from '../projects/show-project.ts'

export const forks = {
  async fork({ params, caller, world }) {
    const source = findReadableProject(world, caller, params.id)
    const namespace_id = findNamespace(world, caller, params.namespace)
    if (namespace_id === undefined) throw notFound('Target Namespace')
    return showSingleProject(world, await forkProject(world, source, { creator: caller, namespace_id }), caller)
  },

  forks({ params, caller, world }) {
    const source = findProject(world, caller, params.id)
    return listProjects(world, caller, world.projects.where('forkedFrom', source.id), params)
  },

  createForkRelation({ params, caller, world }) {
    const project = findProject(world, caller, params.id)
    if (!caller.is_admin) throw forbidden()
    const source = findProject(world, caller, params.forked_from_id)
    if (project.forked_from_id !== null) throw refuse(409, 'Project already forked')
    if (source.id === project.id || descendsFrom(world, source, project))
      throw refuse(409, 'A project cannot be a fork of itself or of its own forks')
    return showSingleProject(world, world.projects.update(project.id, { forked_from_id: source.id }), caller)
  },

  deleteForkRelation({ params, caller, world }) {
    const project = findProject(world, caller, params.id)
    if (!caller.is_admin) throw forbidden()
    if (project.forked_from_id === null) return new StatusResponse(304, null)
    world.projects.update(project.id, { forked_from_id: null })
    return new StatusResponse(204, null)
  },
} satisfies Partial<Handlers<Api['projects']>>
