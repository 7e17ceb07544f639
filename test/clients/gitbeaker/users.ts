// Users and tokens, by @gitbeaker/rest.
import { expect } from 'vitest'
import type { Story } from './story.ts'

export const users: Story[] = [
  {
    name: 'an administrator makes a user with a token, who signs in',
    drives: ['users.create', 'users.createToken', 'users.current', 'users.get', 'users.list'],
    async tell({ client, as }) {
      const ada = await client.Users.create({
        username: 'ada',
        name: 'Ada',
        email: 'ada@example.com',
        skipConfirmation: true,
      })
      const { token } = await client.Users.createPersonalAccessToken(ada.id, 'laptop', ['api'])
      expect(await as(String(token)).Users.showCurrentUser()).toMatchObject({ id: ada.id, username: 'ada' })
      expect(await client.Users.show(ada.id)).toMatchObject({ name: 'Ada', state: 'active' })
      expect(await client.Users.all({ username: 'ada' })).toMatchObject([{ id: ada.id }])
    },
  },
]
