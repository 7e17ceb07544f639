import { endpoint, pageOf } from '../endpoint.ts'
import { release } from '../schemas/repository.ts'
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
