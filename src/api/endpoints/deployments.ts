// Deployments of a project, in GitLab's shapes.
import * as z from 'zod'
import { endpoint } from '../endpoint.ts'
import { deployment } from '../schemas/repository.ts'
import { name, refName } from '../schemas/scalars.ts'

const status = z.enum(['created', 'running', 'success', 'failed', 'canceled', 'skipped', 'blocked'])

export const deployments = {
  create: endpoint('POST', '/projects/:id/deployments', {
    doc: 'Record what an outside system deploys.',
    body: { environment: name, sha: refName, ref: refName, tag: z.boolean(), status },
    responses: { 201: deployment },
  }),
  update: endpoint('PUT', '/projects/:id/deployments/:deployment_id', {
    doc: 'Move a deployment to another status.',
    body: { status },
    responses: { 200: deployment },
  }),
}
