// Releases and deployments of a project.
import * as z from 'zod'
import { endpoint, pageOf } from '../endpoint.ts'
import { deployment, release } from '../schemas/repository.ts'
import { longText, name, pageQuery, refName } from '../schemas/scalars.ts'

const details = { name: name.optional(), description: longText.optional() }

export const releases = {
  list: endpoint('GET', '/projects/:id/releases', {
    doc: 'List releases, newest first.',
    query: pageQuery,
    ...pageOf(release),
    anonymous: true,
  }),
  get: endpoint('GET', '/projects/:id/releases/:tag_name', {
    doc: 'The release of a tag.',
    responses: { 200: release },
    anonymous: true,
  }),
  create: endpoint('POST', '/projects/:id/releases', {
    doc: 'Release a tag; with `ref`, a tag that does not exist is created.',
    body: { tag_name: refName, ref: refName.optional(), ...details },
    responses: { 201: release },
    errors: { 409: 'the tag has a release' },
  }),
  update: endpoint('PUT', '/projects/:id/releases/:tag_name', {
    doc: 'Change a release.',
    body: details,
    needsOneOf: true,
    responses: { 200: release },
  }),
  delete: endpoint('DELETE', '/projects/:id/releases/:tag_name', {
    doc: 'Delete a release; its tag stays.',
    responses: { 200: release },
  }),
}

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
