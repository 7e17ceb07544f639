// Users and tokens, by @gitbeaker/rest.
import type { Story } from './story.ts'

const nextMonth = new Date(Date.now() + 30 * 24 * 60 * 60_000).toISOString().slice(0, 10)

export const users: Story[] = [
  {
    name: 'an administrator makes a user with a token, who signs in',
    async tell({ client, as }) {
      const ada = await client.Users.create({
        username: 'ada',
        name: 'Ada',
        email: 'ada@example.com',
        skipConfirmation: true,
      })
      const { token } = await client.Users.createPersonalAccessToken(ada.id, 'laptop', ['api'])
      expect(await as(String(token)).Users.showCurrentUser()).toMatchObject({ id: ada.id, username: 'ada' })
      const rotated = await as(String(token)).PersonalAccessTokens.rotate('self', { expiresAt: nextMonth })
      expect(await as(String(rotated.token)).PersonalAccessTokens.show()).toMatchObject({
        name: 'laptop',
        expires_at: nextMonth,
      })
      expect(await client.Users.show(ada.id)).toMatchObject({ name: 'Ada', state: 'active' })
      await as(String(rotated.token)).Users.editStatus({ message: 'Away' })
      expect(await client.Users.showStatus({ iDOrUsername: ada.id })).toMatchObject({ message: 'Away' })
      expect(await client.Users.all({ username: 'ada' })).toMatchObject([{ id: ada.id }])
    },
  },
  {
    name: 'a project has an access token, whose bot is a member',
    async tell({ client, as }) {
      const { id } = await client.Projects.create({ name: 'app' })
      const made = await client.ProjectAccessTokens.create(id, 'ci', ['api'], nextMonth, { accessLevel: 30 })
      expect(made).toMatchObject({ name: 'ci', access_level: 30, expires_at: nextMonth })
      expect(await as(String(made.token)).Users.showCurrentUser()).toMatchObject({ id: made.user_id })
    },
  },
]
