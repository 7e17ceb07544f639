// Another client of the service, @gitbeaker/rest, calls every endpoint of the sandbox that it has a method for.
import { endpointsByName } from '../../src/api/index.ts'
import { files } from './gitbeaker/files.ts'
import { groups } from './gitbeaker/groups.ts'
import { issues } from './gitbeaker/issues.ts'
import { mergeRequests } from './gitbeaker/merge-requests.ts'
import { merging } from './gitbeaker/merging.ts'
import { projects } from './gitbeaker/projects.ts'
import { repository } from './gitbeaker/repository.ts'
import { openStory } from './gitbeaker/story.ts'
import { tracker } from './gitbeaker/tracker.ts'
import { users } from './gitbeaker/users.ts'

const stories = [
  ...users,
  ...groups,
  ...projects,
  ...repository,
  ...files,
  ...tracker,
  ...issues,
  ...mergeRequests,
  ...merging,
]

/** Endpoints that this client has no method for, each with what it has instead. */
const without: Record<string, string> = {
  version: 'it reads the version from /metadata',
  'groups.ldapLinks.delete': 'it names cn and provider in the body of DELETE /groups/:id/ldap_group_links',
  'groups.ldapLinks.deleteOfProvider': 'it names cn and provider in the body of DELETE /groups/:id/ldap_group_links',
  'projects.hooks.events': 'it has no method for what became of a hook’s deliveries',
  'issues.discussions.getNote': 'it reads the whole thread',
  'issues.discussions.resolve': 'it resolves a note of a thread, not the thread',
  'mergeRequests.discussions.getNote': 'it reads the whole thread',
  'repository.archive': 'it always names the format',
  'mergeRequests.discussions.resolve': 'it resolves a note of a thread, not the thread',
  'mergeRequests.blocks.create': 'it has no method for what blocks a merge request',
  'mergeRequests.blocks.list': 'it has no method for what blocks a merge request',
  'systemHooks.update': 'it makes a new one instead',
}

const driven = new Set<string>()

describe('with @gitbeaker/rest', () => {
  it.each(stories)('$name', async ({ tell }) => {
    const story = await openStory(driven)
    await tell(story)
  })

  it('every endpoint of the contract was called, but for those that the client has no method for', () => {
    const left = [...endpointsByName.keys()].filter((name) => !driven.has(name))
    expect(left.sort()).toEqual(Object.keys(without).sort())
  })
})
