// Whose event it is: by the user's id, and by the name where an old delivery says no id.
import { expect, it } from 'vitest'
import { isOwn } from '../../src/rules/own-event.ts'
import { bot } from './world.ts'

it.each([
  [{ id: bot.id }, true],
  [{ username: bot.username }, true],
  [{ id: 2, username: bot.username }, false],
  [{}, false],
])('%j: %s', (actor, own) => {
  expect(isOwn({ actor }, bot)).toBe(own)
})
