// Releases and deployments of a project.
import * as z from 'zod'
import { endpoint } from '../endpoint.ts'
import { deployment, release } from '../schemas/repository.ts'
import { longText, name, refName } from '../schemas/scalars.ts'

const details = { name: name.optional(), description: longText.optional() }
const link = {
  name,
  url: z.url({ protocol: /^(?:https?|ftp)$/ }).max(2000),
  link_type: z.enum(['other', 'runbook', 'image', 'package']).default('other'),
}

export const releases = {
  list: endpoint('GET', '/projects/:id/releases', [release], { doc: 'List releases, newest first.', anonymous: true }),
  get: endpoint('GET', '/projects/:id/releases/:tag_name', release, { doc: 'The release of a tag.', anonymous: true }),
  create: endpoint('POST', '/projects/:id/releases', release, {
    doc: 'Release a tag; with `ref`, a tag that does not exist is created.',
    body: {
      tag_name: refName,
      ref: refName.optional(),
      ...details,
      assets: z
        .object({ links: z.array(z.object(link)) })
        .partial()
        .optional(),
    },
    errors: { 409: 'the tag has a release' },
  }),
  update: endpoint('PUT', '/projects/:id/releases/:tag_name', release, {
    doc: 'Change a release.',
    body: details,
    needsOneOf: true,
  }),
  delete: endpoint('DELETE', '/projects/:id/releases/:tag_name', release, {
    doc: 'Delete a release; its tag stays.',
    status: 200,
  }),
}

const status = z.enum(['created', 'running', 'success', 'failed', 'canceled', 'skipped', 'blocked'])

export const deployments = {
  create: endpoint('POST', '/projects/:id/deployments', deployment, {
    doc: 'Record what an outside system deploys.',
    body: { environment: name, sha: refName, ref: refName, tag: z.boolean(), status },
  }),
  update: endpoint('PUT', '/projects/:id/deployments/:deployment_id', deployment, {
    doc: 'Move a deployment to another status.',
    body: { status },
  }),
}
