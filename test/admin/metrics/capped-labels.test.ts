// Labels from strangers: bounded in all and for each project.
import { expect, test } from 'vitest'
import { cappedLabels } from '../../../src/admin/metrics/capped-labels.ts'

test('a text has its label for good, and what comes beyond the bound is other', () => {
  const labels = cappedLabels({ all: 2, ofOne: 2, known: [] })
  expect(['a', 'b', 'c', 'a', 'b'].map((text) => labels.of(text, 1))).toEqual(['a', 'b', 'other', 'a', 'b'])
})

test('one project leaves room for others', () => {
  const labels = cappedLabels({ all: 3, ofOne: 2, known: [] })
  expect(['a', 'b', 'c'].map((text) => labels.of(text, 1))).toEqual(['a', 'b', 'other'])
  expect(['a', 'c', 'd'].map((text) => labels.of(text, 2))).toEqual(['a', 'c', 'other'])
})

test('what is known beforehand needs no room', () => {
  const labels = cappedLabels({ all: 1, ofOne: 1, known: ['ours'] })
  expect(['a', 'ours', 'b'].map((text) => labels.of(text, 1))).toEqual(['a', 'ours', 'other'])
})
