// The list of commands says of each what the command says of itself.
import { expect, test } from 'vitest'
import { commands } from '../../../src/cli/commands/index.ts'

test.each(commands)('$name', async ({ name, about, load }) => {
  const command = await load()
  expect([command.name(), command.description()]).toEqual([name, about])
})
