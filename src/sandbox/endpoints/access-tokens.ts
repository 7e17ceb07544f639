// Access tokens of a project, each with a bot user of its own, as in GitLab.
import { randomBytes } from 'node:crypto'
import type { Api } from '../../api/index.ts'
import { findProjectToChange, maintainer, projectLevel } from '../access/access.ts'
import { addMember, projectPlace } from '../access/members.ts'
import { expiryOf, makeToken, yearInDays } from '../access/tokens.ts'
import { addUser } from '../access/users.ts'
import { forbidden } from '../http/error-response.ts'
import type { Handlers } from '../http/handler.ts'

export const projectAccessTokens: Handlers<Api['projects']['accessTokens']> = {
  create({ params, caller, world }) {
    const project = findProjectToChange(world, caller, params.id, maintainer)
    const { name, scopes, access_level } = params
    if (access_level > projectLevel(world, caller, project)) throw forbidden()
    const expires_at = expiryOf(params.expires_at, yearInDays)
    const username = `project_${project.id}_bot_${randomBytes(16).toString('hex')}`
    const email = `${username}@noreply.localhost`
    const bot = { username, name, email, bot: true, is_admin: false, can_create_group: false }
    const { id: user_id } = addUser(world, bot)
    const token = makeToken(world, { user_id, name, scopes, expires_at, project_id: project.id })
    addMember(world, projectPlace(world, project), { user_id, access_level, expires_at })
    return { ...token, access_level }
  },
}
