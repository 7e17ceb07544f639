// What accept remembers: each part by itself.
import { expect, test } from 'vitest'
import { acceptMemory, changeAccept } from '../../../../src/rules/actions/definition/accept-memory.ts'
import { emptyMemory } from '../../../../src/rules/engine/update-memory.ts'

test('a change leaves the other parts, and what is over leaves nothing', () => {
  const waiting = changeAccept(emptyMemory(), { waitingSha: 'a', addedToTrain: { sha: 'a', times: 1 } })
  const over = changeAccept(waiting, { waitingSha: undefined })
  expect(acceptMemory(over)).toStrictEqual({ addedToTrain: { sha: 'a', times: 1 } })
  expect(changeAccept(over, { addedToTrain: undefined })).toStrictEqual(emptyMemory())
})
