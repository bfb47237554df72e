// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

/// Sends the native coin on in the ways in which exchanges and wallets do.
contract Forwarder {
    function forward(address payable to) external payable {
        (bool sent, ) = to.call{value: msg.value}("");
        require(sent);
    }

    function split(address payable first, address payable second) external payable {
        (bool sent, ) = first.call{value: msg.value / 2}("");
        require(sent);
        (sent, ) = second.call{value: msg.value / 2}("");
        require(sent);
    }

    function forwardAndFail(address payable to) external payable {
        (bool sent, ) = to.call{value: msg.value}("");
        require(sent);
        revert("changed my mind");
    }

    /// The inner call pays and fails; the outer one goes on.
    function tryAndGoOn(address payable to) external payable {
        try this.forwardAndFail{value: msg.value}(to) {} catch {}
    }

    /// Calls itself so often, and pays at the end.
    function dive(address payable to, uint256 depth) external payable {
        if (depth == 0) {
            (bool sent, ) = to.call{value: msg.value}("");
            require(sent);
        } else {
            this.dive{value: msg.value}(to, depth - 1);
        }
    }
}

/// Pays while it is made, and leaves no code.
contract Flash {
    constructor(address payable to) payable {
        (bool sent, ) = to.call{value: msg.value}("");
        require(sent);
        assembly {
            return(0, 0)
        }
    }
}

/// Destroys itself while it is made: the recipient is paid without a call.
contract Bequest {
    constructor(address payable to) payable {
        selfdestruct(to);
    }
}
