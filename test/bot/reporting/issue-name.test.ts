// The stored name of an issue.
import { expect, test } from 'vitest'
import { issueName } from '../../../src/bot/reporting/names.ts'

const url = 'https://code.example/hotel/app/-/issues/4'

test('is its title where everybody may read it', () => {
  expect(issueName({ title: 'A door sticks', url, confidential: false })).toEqual({ title: 'A door sticks', url })
  expect(issueName({ title: 'A door sticks', confidential: false })).toBeUndefined()
  expect(issueName({ url, confidential: false })).toBeUndefined()
})

test.each([true, undefined, null, 'false'])('has no title where confidential is %s', (confidential) => {
  expect(issueName({ title: 'A secret', url, confidential })).toEqual({ title: 'a confidential issue', url })
  expect(issueName({ title: 'A secret', confidential })).toEqual({ title: 'a confidential issue', url: '' })
})
