#!/usr/bin/env node
// Where an installed stakewatch begins. The program itself does not even load in an old Node.js, so this file says which
// one it needs: it is written in what every Node.js from 12 on can read.

'use strict'

const needed = require('../package.json').engines.node.replace('>=', '')

if (parseInt(process.version.slice(1), 10) < parseInt(needed, 10)) {
  process.stderr.write('stakewatch needs Node.js ' + needed + ' or later, and this is ' + process.version + '\n')
  process.exitCode = 1
} else {
  // Until the program has loaded and listens itself: a first process of a container is ended by no signal that it does not
  // listen for, SIGUSR1 would open the debugger, and the others would end it.
  var end = function () {
    process.exit(1)
  }
  process.on('SIGTERM', end).on('SIGINT', end)
  var ignore = function () {}
  process.on('SIGHUP', ignore).on('SIGUSR1', ignore).on('SIGUSR2', ignore)
  void import('../dist/main.js')
}
