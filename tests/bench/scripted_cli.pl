#!/usr/bin/env perl
# The program of one agent of the bench, as light as can be since fifty of them run at once. In the terminal it is what
# an AI CLI is to IdeA: a prompt, bracketed paste, its state by OSC 7501, a turn for each line that is submitted. On a
# socket it tells the bench of each line the moment it has read it; the turn lasts until the bench sends a byte.
#
# Usage: scripted_cli.pl PORT RUN_FOLDER
use strict;
use warnings;
use IO::Socket::INET;

my ($port, $run_folder) = @ARGV;
my $bench = IO::Socket::INET->new(PeerAddr => '127.0.0.1', PeerPort => $port) or die "no bench at $port: $!";
syswrite $bench, "$run_folder\n";

# As CLIs do, and no echo: it would be output that no CLI has.
system('stty', 'raw', '-echo') == 0 or die 'stty failed';

sub show { syswrite STDOUT, $_[0] }
sub tell_state { show("\e]7501;state=$_[0]\e\\") }

show("\e[?2004h> ");
tell_state('idle');
my $typed = '';
while (sysread STDIN, $typed, 65536, length $typed) {
    while ($typed =~ s/^([^\r]*)\r//) {
        syswrite $bench, "$1\n";
        tell_state('working');
        sysread $bench, my $turn_is_over, 1 or exit;
        show("\r\n> ");
        tell_state('idle');
    }
}
