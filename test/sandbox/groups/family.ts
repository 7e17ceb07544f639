// Nested groups, a neighbour and two users, as records without a sandbox.
import { groupNames } from '../../../src/sandbox/access/namespaces.ts'
import { addUser } from '../../../src/sandbox/access/tokens.ts'
import { projectDefaults } from '../../../src/sandbox/projects/enter.ts'
import type { Group, Member, Project, User } from '../../../src/sandbox/records/records.ts'
import { createState, nextNumber, now, type State } from '../../../src/sandbox/storage/world.ts'

type Place = ['group' | 'project', { id: number }]

export function family(visibility: Group['visibility'] = 'private') {
  const state = createState()
  const groups = {
    outer: addGroup(state, 'Outer', visibility),
    neighbour: addGroup(state, 'Neighbour', visibility),
  }
  const middle = addGroup(state, 'Middle', visibility, groups.outer)
  const inner = addGroup(state, 'Inner', visibility, middle)
  return {
    state,
    groups: { ...groups, middle, inner },
    users: { ann: person(state, 'ann'), ben: person(state, 'ben'), root: person(state, 'root', true) },
    project: (group: Group) => addProject(state, group, visibility),
    join: (user: User, [source, { id: source_id }]: Place, access_level: Member['access_level']) => {
      const id = nextNumber(state, 'members')
      return state.members.add({ id, source, source_id, user_id: user.id, access_level, expires_at: null })
    },
    share: (project: Project, group: Group, group_access: Member['access_level']) => {
      const id = nextNumber(state, 'shares')
      const ids = { id, project_id: project.id, group_id: group.id }
      return state.shareLinks.add({ ...ids, group_access, expires_at: null })
    },
  }
}

function addGroup(state: State, name: string, visibility: Group['visibility'], parent?: Group): Group {
  const path = name.toLowerCase()
  return state.groups.add({
    id: nextNumber(state, 'namespaces'),
    name,
    path,
    ...groupNames(parent, { name, path }),
    description: '',
    visibility,
    lfs_enabled: true,
    request_access_enabled: true,
    parent_id: parent?.id ?? null,
    membership_lock: false,
    share_with_group_lock: false,
    shared_runners_minutes_limit: null,
    avatar: null,
    created_at: now(state),
  })
}

export function person(state: State, username: string, is_admin = false): User {
  const names = { username, name: username, email: `${username}@example.com` }
  return addUser(state, { ...names, is_admin, bot: false, can_create_group: true })
}

function addProject(state: State, group: Group, visibility: Group['visibility']): Project {
  const time = now(state)
  const id = nextNumber(state, 'projects')
  const path = `app-${id}`
  return state.projects.add({
    ...projectDefaults,
    ...{ id, namespace_id: group.id, name: path, path, path_with_namespace: `${group.full_path}/${path}` },
    ...{ visibility, creator_id: 1, created_at: time, updated_at: time, last_activity_at: time },
    ...{ runners_token: 'secret', avatar: null },
  })
}
