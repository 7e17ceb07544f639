// The bot user is recognised by id, and by name where an old delivery has no id.
import { expect, it } from 'vitest'
import { isOwn } from '../../../../src/rules/facts/definition/access.ts'
import { bot } from '../../world.ts'

it.each([
  [{ id: bot.id }, true],
  [{ username: bot.username }, true],
  [{ id: 2, username: bot.username }, false],
  [{}, false],
])('%j: %s', (actor, its) => {
  expect(isOwn({ actor }, bot)).toBe(its)
})
